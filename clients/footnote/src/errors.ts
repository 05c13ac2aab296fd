import type { Problem } from './types.js';

/** A request that the service refused or could not fulfil. `code` is stable; `message` says what to do. */
export class FootnoteError extends Error {
  override readonly name = 'FootnoteError';

  constructor(
    /** The HTTP status. An error in the middle of a stream has the status that the request would have got. */
    readonly status: number,
    readonly code: string,
    message: string,
    /** What is wrong with which field, and the nearest thing that would be right. */
    readonly errors: Problem['errors'] = [],
    readonly requestId?: string,
    /** Seconds after which the service asks to be asked again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Reads a problem document. A proxy on the way may answer in another shape. */
  static from(status: number, text: string, retryAfter?: string | null): FootnoteError {
    const seconds = retryAfter ? Number(retryAfter) : undefined;
    try {
      const { code, detail, errors, request_id } = JSON.parse(text) as Problem;
      if (typeof code === 'string') return new FootnoteError(status, code, detail, errors, request_id, seconds);
    } catch {
      // not JSON
    }
    return new FootnoteError(status, `http_${status}`, text.slice(0, 200), [], undefined, seconds);
  }
}

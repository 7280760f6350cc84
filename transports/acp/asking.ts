/**
 * Requests to the client that may be withdrawn.
 *
 * I1. Who asked stops waiting as soon as the answer is not wanted any more.
 * I2. The client hears so after GRACE_MS only, and not at all where it has answered by then: most end a question by
 *     themselves when its turn is cancelled, and many do not know `$/cancel_request`.
 */
export const GRACE_MS = 2_000;

type Options = { cancellationSignal: AbortSignal; stopWaitingOnCancel: true };

/** Rejects with the signal's reason when that is aborted first. */
export async function asking<Answer>(
  wanted: AbortSignal,
  request: (options: Options) => Promise<Answer>,
): Promise<Answer> {
  wanted.throwIfAborted();
  const late = new AbortController();
  const withdrawn = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const withdraw = (): void => {
    withdrawn.reject(wanted.reason);
    timer = setTimeout(() => late.abort(wanted.reason), GRACE_MS).unref();
  };
  const settle = (): void => {
    clearTimeout(timer);
    wanted.removeEventListener("abort", withdraw);
  };
  wanted.addEventListener("abort", withdraw, { once: true });
  const asked = request({ cancellationSignal: late.signal, stopWaitingOnCancel: true });
  asked.then(settle, settle);
  return await Promise.race([asked, withdrawn.promise]);
}

const SQLITE_BUSY = 5;
const KIND = 0xff;

/** Whether another process has what was asked for. */
export const isBusy = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errcode" in error && (Number(error.errcode) & KIND) === SQLITE_BUSY;

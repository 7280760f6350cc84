/** Errors over HTTP as RFC 9457 has them, with our stable codes. */

export const PROBLEM_TYPE = "application/problem+json";

/** `code` is stable; `detail` says what was expected and what to do. `errors` names fields, findings are a workflow's. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  details?: object;
  errors?: readonly object[];
};

/** A problem whose status is known. */
export const problemBody = (code: string, status: number, detail: string): Problem => ({
  type: `urn:troupe:error:${code}`,
  title: titleOf(code),
  status,
  detail,
  code,
});

/** `USER.RUN.NOT_FOUND` is "run not found". */
const titleOf = (code: string): string => code.split(".").slice(1).join(" ").replaceAll("_", " ").toLowerCase();

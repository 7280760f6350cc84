/** The folder in which the process was started; null where it was removed since. */
export function startedIn(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

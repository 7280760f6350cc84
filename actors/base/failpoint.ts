/** Where a crash test ends the process, as a power cut would. Off unless `TROUPE_FAILPOINT` names a moment. */

export type Failpoint = (name: string) => void;

/** `spec` is `<name>` or `<name>:<n>` for its n-th time. */
export function failpoint(spec: string | undefined): Failpoint {
  if (spec === undefined || spec === "") return () => undefined;
  const [wanted, count] = spec.split(":");
  let left = Number(count ?? 1);
  return (name) => {
    if (name === wanted && --left === 0) process.kill(process.pid, "SIGKILL");
  };
}

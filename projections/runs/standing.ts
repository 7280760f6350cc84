/** What a run's status says of its steps. */

const UNBROKEN: ReadonlySet<string> = new Set(["running", "waiting", "parked"]);

/** Whether its open steps go on: a process runs them, or they wait for a person. Nothing was cut off. */
export const goesOn = (status: string): boolean => UNBROKEN.has(status);

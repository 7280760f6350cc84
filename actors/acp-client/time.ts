/** The time that a client's waits run on, injected so that tests advance it. */
export { realClock, type TimerClock } from "../process/clock.ts";

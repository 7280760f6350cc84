/** The time that a client's waits run on, injected so that tests advance it. */
export { type Clock, realClock } from "../process/clock.ts";

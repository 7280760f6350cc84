/** What the charts of several machines share: the tags of their states, and what a container hands on. */

/** What a state means to a reader who does not know its machine. */
export const TAGS = {
  works: "something of it runs",
  asks: "a person is asked, and nothing runs until there is an answer",
  "cut off": "a crash stopped it: nothing runs until it is resumed",
  stops: "what ran is being ended",
  "tries again": "an attempt has failed and another one comes",
  kept: "what it came to is kept: a later run may take over from it",
  "keeps others out": "its session takes no other prompt",
  "has a turn": "it was sent on, and what it causes has not ended",
  "hears others": "what other processes write concerns it",
} as const;

/** Marks a transition that is no part of how all goes well, in charts. */
export const ASIDE = { aside: true } as const;

/** A container does nothing about these itself: all that runs below it hears them. */
export const HANDED_ON = {
  "resume.requested": { description: "The run is resumed after a crash.", actions: "forward to what runs" },
  "owner.lost": { description: "The process that ran it has died.", actions: "forward to what runs" },
  "run.rested": {
    description: "All that is left waits for a person: time limits stand still.",
    actions: "forward to what runs",
  },
  "run.woken": { description: "A person has answered: time limits begin anew.", actions: "forward to what runs" },
} as const;

/** One whose verdict is known while some of it still ends: after a crash its verdict waits until the run is resumed. */
export const DIED = { ...HANDED_ON["owner.lost"], target: "halted" } as const;
export const RESUMED = { ...HANDED_ON["resume.requested"], target: "stopping" } as const;

/**
 * The same of one that is being ended: below it a crash may have cut off what a step does to its tree after a cancel, and
 * what comes next, a cancel or a resume, has that done.
 */
export const HANDED_ON_AT_LAST = {
  ...HANDED_ON,
  "cancel.requested": {
    description: "It is ended already: what a crash cut off is done.",
    actions: "forward to what runs",
  },
} as const;

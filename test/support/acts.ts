/** What a client does to bring a machine of a real `troupe acp` into a state: small acts, and how they follow each other. */
import { inRepository as makeRepository } from "./house.ts";
import type { Walker } from "./walker.ts";

export type Drive = (walker: Walker) => Promise<void>;
export type Drives = { readonly [path: string]: Drive | { unreachable: string } };

export const STUBBORN = "trap '' TERM; while :; do sleep 0.1; done";
export const ASLEEP = "exec sleep 600";
/** Ends the process when the n-th piece of work is about to begin: what was committed before it is left. */
export const dies = (work: number) => ({ TROUPE_TRUST: "1", TROUPE_FAILPOINT: `work.before:${work}` });
export const PASSED = { unreachable: "it is left in the tick in which it is entered, so it is never committed" };

export const says =
  (text: string, state?: string): Drive =>
  async (walker) => {
    await walker.enter();
    walker.prompt(text);
    if (state !== undefined) await walker.sees(state);
  };
/** The prompt is answered, so the turn has ended. */
export const saysAll =
  (text: string, ...more: string[]): Drive =>
  async (walker) => {
    await walker.enter();
    for (const each of [text, ...more]) {
      walker.prompt(each);
      await walker.answered();
    }
  };
export const diesAt =
  (work: number, text: string): Drive =>
  async (walker) => {
    await walker.enter(dies(work));
    walker.prompt(text);
    await walker.die("failpoint");
  };
export const inTurn =
  (...drives: Drive[]): Drive =>
  async (walker) => {
    for (const drive of drives) await drive(walker);
  };
export const killed: Drive = (walker) => walker.die();
export const takenOver: Drive = (walker) => walker.takeOver();
export const cancels: Drive = async (walker) => walker.cancel();
export const decides =
  (wanted: string): Drive =>
  (walker) =>
    walker.decide(wanted);
export const isIn =
  (state: string): Drive =>
  (walker) =>
    walker.sees(state);
export const inRepository: Drive = async ({ house }) => makeRepository(house);
export const untrusted: Drive = async (walker) => {
  await walker.enter({});
  walker.prompt(`/frame work="${ASLEEP}"`);
};
export const answered: Drive = async (walker) => {
  await walker.answered();
};
export const cutOffAtStart = inTurn(says(`/frame start="${ASLEEP}"`, "starting.hooking"), killed, takenOver);

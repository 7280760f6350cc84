/** A code as a person, or their program, asks about it. */
import { suggest } from "../../machines/workflow/suggest.ts";
import { CODES, type Code, isCode } from "./codes.ts";
import { TroupeError } from "./troupe-error.ts";

/** `exit`: of a command that fails with it. `http`: the status where it goes over HTTP. */
export type ToldCode = { code: string; cause: string; remedy: string; exit: number; http: number };

/** One code, however it is written; those that hold a word; or all. Throws USER.CLI.USAGE where there is none. */
export async function toldCodes(asked: string | null): Promise<ToldCode[]> {
  const { ADVICE } = await import("./advice/advice.ts");
  const all = Object.keys(CODES).filter(isCode);
  const name = asked?.toUpperCase();
  const found = name === undefined || name === "" ? all : named(name, all);
  if (name !== undefined && found.length === 0) {
    const like = suggest(name, all);
    const meant = like === null ? ":" : `; did you mean ${like}?`;
    throw new TroupeError("USER.CLI.USAGE", `there is no code "${asked}"${meant} \`troupe error\` lists all`);
  }
  return found.map((code) => {
    const [cause, remedy] = ADVICE[code];
    const { exit, http } = CODES[code];
    return { code, cause, remedy, exit, http };
  });
}

const named = (name: string, all: readonly Code[]): Code[] => {
  const exact = all.filter((code) => code === name);
  return exact.length > 0 ? exact : all.filter((code) => code.includes(name));
};

/** Covers `every-command.ts`: a command that stands alone is the one that stands among all. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommands } from "../../../transports/cli/every-command.ts";
import { recordingIo } from "./io.ts";

const made = (first?: string): Command => {
  const program = new Command("troupe");
  addCommands(program, first, async () => undefined, recordingIo());
  return program;
};
const named = (program: Command, name: string): Command | undefined =>
  program.commands.find((one) => one.name() === name || one.aliases().includes(name));
/** All that a command and those below it say of themselves. */
const saysOf = (command: Command | undefined): string[] =>
  command === undefined ? [] : [command.helpInformation(), ...command.commands.flatMap(saysOf)];

/** They look at all others. */
const LOOKING = ["completion", "complete", "man"];
const ALL = made();
const NAMES = ALL.commands.flatMap((one) => [one.name(), ...one.aliases()]);

test.each(NAMES.filter((name) => !LOOKING.includes(name)))("%s alone says what it says among all (I1)", (name) => {
  const alone = made(name);
  expect(alone.commands.length).toBeLessThan(ALL.commands.length / 3);
  expect(saysOf(named(alone, name))).toEqual(saysOf(named(ALL, name)));
});

test.each([...LOOKING, "--help", "help", "lsit", undefined])("%s has all commands beside it", (first) => {
  expect(made(first).commands.map((one) => one.name())).toEqual(ALL.commands.map((one) => one.name()));
});

/** What `--help` prints of a command and of those below it, examples included. */
const printedOf = (command: Command): string[] => {
  const texts: string[] = [];
  command.configureOutput({ writeOut: (text) => texts.push(text) }).outputHelp();
  return [texts.join(""), ...command.commands.flatMap(printedOf)];
};

test("no line of any help is wider than a terminal of 80 columns", () => {
  const lines = printedOf(made()).flatMap((text) => text.split("\n"));
  expect(lines).toContain("  $ troupe run demo -i name=world");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

/** A command and those below it, with how they are called. */
const called = (command: Command, above = ""): [string, Command][] => {
  const name = `${above} ${command.name()}`.trim();
  return [[name, command], ...command.commands.flatMap((one) => called(one, name))];
};

test("the page of commands names each one that takes no --format, and no other", () => {
  const page = readFileSync(new URL("../../../docs/commands.md", import.meta.url), "utf8");
  const line = page.split("\n").find((one) => one.startsWith("Every command that ends takes `--format json`")) ?? "";
  const names = [...(line.split("Questions on the terminal")[0] ?? "").matchAll(/`([a-z][a-z ]*?)(?: -p)?`/g)];
  const takesIt = ({ options }: Command): boolean => options.some(({ long }) => long === "--format");
  // Of those that have others below them `acp` does something by itself.
  const without = ALL.commands
    .flatMap((one) => called(one))
    .filter(([name, one]) => !takesIt(one) && (name === "acp" || one.commands.length === 0) && name !== "complete");
  expect(names.map(([, name]) => name).sort()).toEqual(without.map(([name]) => name).sort());
});

/** Secret inputs that are typed again. */
import { expect, it } from "vitest";
import type { UiStage } from "../../../transports/ui/view.ts";
import { SecretsView } from "../../../transports/ui/views/secrets-view.ts";

const PLACE = { width: 90, height: 9, now: 0, colours: false };

it("I1 a secret is mended where it is, and not seen; I3 the line ends of a paste are none of it", () => {
  const given: unknown[] = [];
  const stage = { back: () => undefined } as unknown as UiStage;
  const view = new SecretsView(["token", "key"], stage, (inputs) => given.push(inputs));
  const press = (...keys: string[]) => {
    for (const key of keys) view.press(key);
  };
  press(..."bc\n", "home", ..."a");
  expect(view.lines(PLACE).slice(-2)).toEqual(["❯ token: •▏••", "  key: "]);
  press("end");
  expect(view.lines(PLACE).at(-2)).toBe("❯ token: •••▏");
  press("down", ..."wrong", "ctrl-u", ..."k", "enter");
  expect(given).toEqual([{ token: "abc", key: "k" }]);
});

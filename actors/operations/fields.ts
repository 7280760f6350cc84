/** The forms of inputs. A template gives text, so a number or a list may come as the text of one. */
import { z } from "zod";

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

export const text = (error = "a text") => z.union([z.string(), z.number(), z.boolean()], { error }).transform(String);
export const needed = (error = "a text") => text(error).refine((value) => value.trim() !== "", { error });
export const whole = (least: number) => {
  const error = `a whole number, ${least} or more`;
  return z
    .union([z.number(), z.string().regex(/^\s*\d+\s*$/, { error })], { error })
    .transform(Number)
    .pipe(z.int({ error }).min(least, { error }));
};
export const flag = () =>
  z
    .union([z.boolean(), z.enum(["true", "false", ""])], { error: "true or false" })
    .transform((value) => value === true || value === "true");
/** A list, the text of a JSON list, or texts with commas between them. */
export const list = <T extends z.ZodType>(item: T, error: string) =>
  z.preprocess(
    (value) => {
      if (typeof value !== "string") return value;
      const read = parsed(value);
      if (Array.isArray(read)) return read;
      return value.trim() === "" ? [] : value.split(",").map((one) => one.trim());
    },
    z.array(item, { error }),
  );
export const map = <T extends z.ZodType>(value: T, error: string) =>
  z.preprocess((given) => (typeof given === "string" ? parsed(given) : given), z.record(z.string(), value, { error }));

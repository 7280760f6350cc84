/** Which fields a map may have somewhere in a value, read off its schema: for suggestions. */
import type { z } from "zod";

type Def = {
  type: string;
  shape?: { readonly [field: string]: z.core.$ZodType };
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
};
const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as unknown as Def;

/** What may stand at a part of the path, of every alternative. */
function below(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  const { shape, innerType, options, element, valueType } = defOf(schema);
  if (innerType !== undefined) return below(innerType, part);
  if (options !== undefined) return options.flatMap((option) => below(option, part));
  if (shape !== undefined) return Object.hasOwn(shape, part) ? [shape[part] as z.core.$ZodType] : [];
  const item = typeof part === "number" ? element : valueType;
  return item === undefined ? [] : [item];
}

function fieldsOf(schema: z.core.$ZodType): string[] {
  const { shape, innerType, options } = defOf(schema);
  if (innerType !== undefined) return fieldsOf(innerType);
  if (options !== undefined) return options.flatMap(fieldsOf);
  return shape === undefined ? [] : Object.keys(shape);
}

/** The fields of a map at `path` within a value of this schema; none where it takes no map of its own fields there. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly (string | number)[]): string[] {
  const found = path.reduce<z.core.$ZodType[]>((schemas, part) => schemas.flatMap((one) => below(one, part)), [schema]);
  return [...new Set(found.flatMap(fieldsOf))];
}

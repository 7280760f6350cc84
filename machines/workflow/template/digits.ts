/**
 * Numbers in decimal, as Go writes them.
 *
 * I1. The digits are those of the number as it is held: half of a last digit goes to the even one, and no size of a
 *     number brings an exponent where none was asked for.
 */

const FRACTION_BITS = 52n;
const BIAS = 1075;

/** A number without its sign times a power of ten, as a fraction. */
function exactly(number: number, power: number): { top: bigint; below: bigint } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(number));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> FRACTION_BITS);
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), bits);
  const whole = exponent === 0 ? fraction : fraction | (1n << FRACTION_BITS);
  const two = Math.max(1, exponent) - BIAS;
  const top = (whole << BigInt(Math.max(0, two))) * 10n ** BigInt(Math.max(0, power));
  const below = (1n << BigInt(Math.max(0, -two))) * 10n ** BigInt(Math.max(0, -power));
  return { top, below };
}

/** The same, to the nearest whole one (I1). */
function scaled(number: number, power: number): bigint {
  const { top, below } = exactly(number, power);
  const [down, rest] = [top / below, (top % below) * 2n];
  return rest > below || (rest === below && down % 2n === 1n) ? down + 1n : down;
}

const sign = (number: number): string => (number < 0 || Object.is(number, -0) ? "-" : "");
const pointed = (digits: string, places: number): string =>
  places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;

/** `1.50`: so many places behind the point. */
export const fixed = (number: number, places: number): string =>
  sign(number) +
  pointed(
    scaled(number, places)
      .toString()
      .padStart(places + 1, "0"),
    places,
  );

/** The digits of a number, so many of them, and the power of ten of the first. */
function leading(number: number, count: number): { digits: string; power: number } {
  if (number === 0) return { digits: "0".repeat(count), power: 0 };
  const near = Number(number.toExponential().split("e")[1]);
  // Its shortest digits may be a power of ten that it does not reach: 1e23 is held as 99999999999999991611392.
  const { top, below } = exactly(number, -near);
  const power = top < below ? near - 1 : near;
  const digits = scaled(number, count - 1 - power).toString();
  return digits.length === count ? { digits, power } : { digits: digits.slice(0, count), power: power + 1 };
}

/** Go writes at least two digits of the exponent. */
const exponentOf = (power: number): string => `e${power < 0 ? "-" : "+"}${`${Math.abs(power)}`.padStart(2, "0")}`;

/** `1.50e+03`: so many places behind the point. */
export function exponential(number: number, places: number): string {
  const { digits, power } = leading(number, places + 1);
  return sign(number) + pointed(digits, places) + exponentOf(power);
}

/** So many digits, less the zeros at the end: with an exponent where the plain digits would be more, or it is very small. */
export function general(number: number, count: number): string {
  const { power } = leading(number, count);
  const [text, tail = ""] =
    power < -4 || power >= count ? exponential(number, count - 1).split(/(?=e)/) : [fixed(number, count - 1 - power)];
  return (text?.includes(".") ? text.replace(/\.?0+$/, "") : (text ?? "")) + tail;
}

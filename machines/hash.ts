/** A short name for a long one, which no secret rests on. */
const MASK = (1n << 64n) - 1n;
const FNV_PRIME = 0x100000001b3n;
const FNV_BASIS = 0xcbf29ce484222325n;

/** FNV-1a of 64 bits, as 16 digits of hex. Never all zeros, which W3C's Trace Context takes for no id. */
export function hashOf(name: string): string {
  let hash = FNV_BASIS;
  for (let i = 0; i < name.length; i++) hash = ((hash ^ BigInt(name.charCodeAt(i))) * FNV_PRIME) & MASK;
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, "0");
}

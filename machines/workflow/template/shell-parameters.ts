/** Parameter expansions, `${…}`: which part of one is arithmetic, which is text, which may hold no value. */
import { ARITHMETIC, BARE, Expansions, INDEX } from "./shell-expansions.ts";
import { asCode } from "./shell-facts.ts";

const PROMPT = asCode({ why: "${…@P} expands it once more, commands included", instead: "the variable without @P" });

export abstract class Parameters extends Expansions {
  /** `${…}`. `quoted`: within double quotes or a heredoc, where single quotes may be plain characters. */
  parameter(quoted: boolean): void {
    this.deeper();
    this.add(2);
    const head = /^([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-])?/.exec(
      this.source.slice(this.at, Math.min(this.at + 200, this.limit)),
    );
    const name = head?.[2] ?? "";
    const behind = this.at + (head?.[0].length ?? 0);
    const quotedForCode = /^@[QKk]\}/.test(this.source.slice(behind, behind + 3));
    if (/^(?:\w+|[@*])$/.test(name) && head?.[1] !== "#" && !quotedForCode) {
      this.refer(name, quoted ? "quotes" : "bare");
    }
    this.add(head?.[0].length ?? 0);
    if (head?.[1] === "!" && !/^(?:\[[@*]\]|[@*])/.test(this.source.slice(this.at, this.at + 3))) {
      this.facts.compute({ start: this.at - name.length, end: this.at }, "it names a variable");
    }
    if (this.source.charAt(this.at) === "[") {
      this.add(1);
      this.arithmetic("]", INDEX);
    }
    const operator = /^(:?[-=?+]|:|[#%/^,@])/.exec(this.source.slice(this.at, this.at + 2))?.[0] ?? "";
    this.add(operator.length);
    if (operator === "@" && this.source.charAt(this.at) === "P") this.facts.flows.demand(name, PROMPT);
    const start = this.at;
    if (operator === ":") this.arithmetic("}", ARITHMETIC);
    const plain = quoted && /^:?[-=?+]$/.test(operator);
    while (this.at < this.limit && this.source.charAt(this.at) !== "}") {
      const char = this.source.charAt(this.at);
      if (char === "\0" && (operator === "" || operator === "@"))
        this.refuse(0, "it stands for a name or operator in ${…}");
      else if (char === "'" && !plain) this.single(false);
      else if (char === '"') this.double();
      else if (char === "\0" && !quoted) this.hole(BARE);
      else if (char === "$" && !quoted) this.dollar("bare");
      else if (char === "`") this.backtick(!quoted);
      else this.expanding(char, "double");
    }
    if (operator.endsWith("=")) this.facts.feed(name, { start, end: this.at });
    this.add(1);
    this.depth -= 1;
  }
}

/** Parameter expansions, `${…}`: which part of one is arithmetic, which is text, which may hold no value. */
import { ARITHMETIC, BARE, Expansions, INDEX } from "./shell-expansions.ts";

export abstract class Parameters extends Expansions {
  /** `${…}`. `quoted`: within double quotes or a heredoc, where single quotes may be plain characters. */
  parameter(quoted: boolean): void {
    this.deeper();
    this.add(2);
    const head = /^([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-])?/.exec(
      this.source.slice(this.at, Math.min(this.at + 200, this.limit)),
    );
    const name = head?.[2] ?? "";
    this.add(head?.[0].length ?? 0);
    if (head?.[1] === "!" && !/^(?:\[[@*]\]|[@*])/.test(this.source.slice(this.at, this.at + 3))) {
      this.facts.evaluate(this.at - name.length, this.at);
    }
    if (this.source.charAt(this.at) === "[") {
      this.add(1);
      this.arithmetic("]", INDEX);
    }
    const operator = /^(:?[-=?+]|:|[#%/^,@])/.exec(this.source.slice(this.at, this.at + 2))?.[0] ?? "";
    this.add(operator.length);
    if (operator === ":") this.arithmetic("}", ARITHMETIC);
    const plain = quoted && /^:?[-=?+]$/.test(operator);
    while (this.at < this.limit && this.source.charAt(this.at) !== "}") {
      const char = this.source.charAt(this.at);
      const index = this.holeAt.get(this.at);
      if (char === "\0" && (operator === "" || operator === "@"))
        this.refuse(0, "it stands for a name or operator in ${…}");
      else if (char === "'" && !plain) this.single(false);
      else if (char === '"') this.double();
      else if (char === "\0" && !quoted) this.hole(BARE);
      else this.expanding(char, "double");
      if (index !== undefined && operator.endsWith("=")) this.facts.assign(name, index);
    }
    this.add(1);
    this.depth -= 1;
  }
}

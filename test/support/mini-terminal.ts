/** As much of a terminal as our screen needs: lines, the cursor, what is cleared. Lines that are too long wrap. */
export class MiniTerminal {
  #lines: string[] = [""];
  #row = 0;
  #column = 0;
  #columns: number;
  cursor = true;
  writes = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }
  write(text: string): void {
    this.writes += 1;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    for (const [piece] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|[\s\S]/g)) this.#take(piece);
  }
  /** A row that was filled further than that is broken, as tmux does it: also where only blanks are left of it. */
  narrow(columns: number): void {
    const rows = this.#lines.map((line) => line.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""]);
    this.#row = rows.slice(0, this.#row).flat().length;
    this.#lines = rows.flat();
    this.#columns = columns;
  }
  text(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  #take(piece: string): void {
    const many = Number(/\d+/.exec(piece)?.[0] ?? 1);
    if (piece === "\n") return this.#down();
    if (piece === "\r") this.#column = 0;
    else if (piece.endsWith("A") && piece.length > 1) this.#row = Math.max(0, this.#row - many);
    else if (piece === "\u001b[J") {
      this.#lines.length = this.#row + 1;
      this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, this.#column);
    } else if (piece === "\u001b[2K") this.#lines[this.#row] = "";
    else if (piece === "\u001b[K") {
      const line = this.#lines[this.#row] ?? "";
      this.#lines[this.#row] = this.#column === 0 ? "" : line.slice(0, this.#column).padEnd(line.length);
    } else if (piece === "\u001b[?25l") this.cursor = false;
    else if (piece === "\u001b[?25h") this.cursor = true;
    else if (piece.length === 1) this.#print(piece);
  }
  #print(character: string): void {
    if (this.#column >= this.#columns) this.#down();
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column += 1;
  }
  /** As where output is processed: a new line begins at its beginning. */
  #down(): void {
    this.#row += 1;
    this.#column = 0;
    this.#lines[this.#row] ??= "";
  }
}

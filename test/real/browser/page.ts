/**
 * A page of a real Chromium, as a person uses it (I1 is that of `chromium.ts`).
 *
 * I2. A test acts on a page by real clicks and real keys, and waits for changes of the document.
 * I3. A click reaches the element that is meant, or nothing: a page may be drawn anew between the look and the click.
 */
import { join } from "node:path";
import type { DevTools } from "../../support/devtools.ts";

/** A page of a profile, at this address. */
export async function openPage(tools: DevTools, context: string, url: string): Promise<Page> {
  const { targetId } = await tools.send("Target.createTarget", { url: "about:blank", browserContextId: context });
  const { sessionId } = await tools.send("Target.attachToTarget", { targetId, flatten: true });
  const page = new Page(tools, String(sessionId), context);
  await page.open(url);
  return page;
}

/** Their codes: without one the browser does not do by itself what the key means. */
const ARROWS: ReadonlyMap<string, number> = new Map([
  ["ArrowLeft", 37],
  ["ArrowUp", 38],
  ["ArrowRight", 39],
  ["ArrowDown", 40],
  ["Tab", 9],
]);
/** Runs in the page: resolves with the result of `look` as soon as there is one. */
const WAIT = `(look) => new Promise((resolve) => {
  const observer = new MutationObserver(() => again());
  const again = () => {
    const found = look();
    if (found === undefined) return;
    observer.disconnect();
    resolve(found);
  };
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  again();
})`;

/** Runs in the page: until clicked() is called, which says whether it came, a click that is not the element's goes nowhere. */
const GUARD = `(one) => {
  const away = new AbortController();
  let isHit = false;
  const look = (event) => {
    const isMeant = one.contains(event.target);
    if (isMeant && event.type === "click") isHit = true;
    if (!isMeant) { event.preventDefault(); event.stopImmediatePropagation(); }
  };
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  for (const type of types) window.addEventListener(type, look, { capture: true, signal: away.signal });
  globalThis.clicked = () => {
    away.abort();
    return isHit;
  };
}`;

/** In CSS pixels. */
export type PageLook = { width: number; height: number; dark?: boolean; still?: boolean; paper?: boolean };

export class Page {
  readonly #tools: DevTools;
  readonly #session: string;
  readonly #context: string;
  constructor(tools: DevTools, session: string, context: string) {
    this.#tools = tools;
    this.#session = session;
    this.#context = context;
  }

  /** Another tab of the same profile, which becomes the active one. */
  tab(url: string): Promise<Page> {
    return openPage(this.#tools, this.#context, url);
  }
  /** Makes this tab the active one. */
  async front(): Promise<void> {
    await this.#send("Page.bringToFront");
  }
  async open(url: string): Promise<void> {
    await this.#send("Page.enable");
    const loaded = this.#tools.once("Page.loadEventFired", this.#session);
    await this.#send("Page.navigate", { url });
    await loaded;
  }
  /** Resolves with the text of the first matching element that holds this text. */
  sees(selector: string, text = ""): Promise<string> {
    const [where, what] = [JSON.stringify(selector), JSON.stringify(text)];
    return this.#evaluate(
      `(${WAIT})(() => [...document.querySelectorAll(${where})].map((one) => one.textContent).find((text) => text.includes(${what})))`,
    ) as Promise<string>;
  }
  /** The texts of all matching elements. */
  texts(selector: string): Promise<string[]> {
    const where = JSON.stringify(selector);
    return this.#evaluate(`[...document.querySelectorAll(${where})].map((one) => one.textContent)`) as Promise<
      string[]
    >;
  }
  /** Waits until the element can be clicked, and clicks its middle: again where it has moved (I3). `count` 2: as the second of a double click. */
  async click(selector: string, { count = 1 } = {}): Promise<void> {
    const where = JSON.stringify(selector);
    let isHit = false;
    while (!isHit) {
      const at = (await this.#evaluate(
        `(${WAIT})(() => {
          const one = document.querySelector(${where});
          if (one === null || one.matches(":disabled")) return undefined;
          one.scrollIntoView();
          (${GUARD})(one);
          const { x, y, width, height } = one.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        })`,
      )) as object;
      for (const type of ["mousePressed", "mouseReleased"])
        await this.#send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: count });
      // Where the click leads to another document, nothing is left to ask: it has hit.
      isHit = (await this.#evaluate("globalThis.clicked?.() ?? true").catch(() => true)) === true;
    }
  }
  async type(selector: string, text: string): Promise<void> {
    await this.click(selector);
    if (text !== "") await this.#send("Input.insertText", { text });
    for (const type of ["keyDown", "keyUp"])
      await this.#send("Input.dispatchKeyEvent", {
        ...{ type, key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 },
        ...(type === "keyDown" ? { text: "\r" } : {}),
      });
  }

  /** A key by its name, as in `KeyboardEvent.key`. */
  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    const code = ARROWS.has(key) ? { windowsVirtualKeyCode: ARROWS.get(key) } : {};
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", key, ...text, ...code });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }
  /** Resolves with the value of an expression in the page, as soon as it is neither null, undefined nor false. */
  finds(expression: string): Promise<unknown> {
    return this.evaluate(`(${WAIT})(() => { const found = (${expression}); return found || undefined; })`);
  }
  evaluate(expression: string): Promise<unknown> {
    return this.#evaluate(expression);
  }
  /** Sets how the page looks: its size, its user's choices of colours and motion, and whether it is printed. */
  async looks({ width, height, dark = false, still = false, paper = false }: PageLook): Promise<void> {
    await this.#send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 500,
    });
    await this.#send("Emulation.setEmulatedMedia", {
      media: paper ? "print" : "",
      features: [
        { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
        { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" },
      ],
    });
  }
  /** Starts counting the processor time of the page's main thread. */
  async counts(): Promise<void> {
    await this.#send("Performance.enable", { timeDomain: "threadTicks" });
  }
  /** Processor time so far in milliseconds: of the main thread in total, and of its parts. */
  async counted(): Promise<{ [what: string]: number }> {
    const { metrics } = await this.#send("Performance.getMetrics");
    const times = (metrics as { name: string; value: number }[]).filter(({ name }) => name.endsWith("Duration"));
    return Object.fromEntries(times.map(({ name, value }) => [name.replace("Duration", ""), value * 1_000]));
  }
  /** Ends the browser and removes its profile. */
  async leave(): Promise<void> {
    await this.#tools.send("Target.disposeBrowserContext", { browserContextId: this.#context });
  }
  /** A picture of the visible page, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(String(data), "base64");
  }
  /** Resolves with the name of the file that the page saves because of `act`. */
  async saves(folder: string, act: () => Promise<unknown>): Promise<string> {
    const asked = { behavior: "allow", browserContextId: this.#context, downloadPath: folder, eventsEnabled: true };
    await this.#tools.send("Browser.setDownloadBehavior", asked);
    const named = this.#tools.once("Browser.downloadWillBegin");
    const saved = new Promise<void>((resolve) => {
      const off = this.#tools.on("Browser.downloadProgress", ({ state }) => {
        if (state !== "completed") return;
        off();
        resolve();
      });
    });
    await act();
    await saved;
    return join(folder, String((await named)["suggestedFilename"]));
  }
  /** Notes the address of every request from now on. */
  async requests(): Promise<string[]> {
    const seen: string[] = [];
    await this.#send("Network.enable");
    this.#tools.on(
      "Network.requestWillBeSent",
      ({ request }) => seen.push((request as { url: string }).url),
      this.#session,
    );
    return seen;
  }

  #send(method: string, params: object = {}): ReturnType<DevTools["send"]> {
    return this.#tools.send(method, params, this.#session);
  }
  #evaluate(expression: string): Promise<unknown> {
    return this.#tools.evaluate(expression, this.#session);
  }
}

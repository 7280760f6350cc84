/** A row of tabs: the arrows, Home and End lead from one to the next, and Tab leads past them, as readers of screens expect. */
import { html, type TemplateResult } from "lit/html.js";
import { act } from "../state.ts";

type Tabs<Name extends string> = {
  /** The class of the row, and what it is called. */
  row: string;
  about: string;
  names: { readonly [name in Name]: string };
  chosen: Name;
  choose: (name: Name) => void;
};

export const tabsView = <Name extends string>({ row, about, names, chosen, choose }: Tabs<Name>): TemplateResult =>
  html`<div class=${row} role="tablist" aria-label=${about} @keydown=${onKey}>${(
    Object.entries(names) as [Name, string][]
  ).map(
    ([name, text]) =>
      html`<button role="tab" aria-selected=${name === chosen} tabindex=${name === chosen ? 0 : -1} @click=${act(() => choose(name))}>${text}</button>`,
  )}</div>`;

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const tabs = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(event.target as HTMLElement);
  const to: { readonly [key: string]: number } = {
    ArrowLeft: (at + tabs.length - 1) % tabs.length,
    ArrowRight: (at + 1) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  const next = tabs[to[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.click();
}

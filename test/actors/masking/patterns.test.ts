import { expect, test } from "vitest";
import { formsOf } from "../../../actors/masking/patterns.ts";

/** Every character that some writer escapes, and one beyond ASCII. */
const VALUE = `p"w' <&>/é+~(!)`;
const texts = (value: string): string[] => formsOf(value).map(({ text }) => text);

test("the forms of a value and their order stay: marks in stores name a form by its place (I1)", () => {
  expect(texts(VALUE)).toMatchInlineSnapshot(`
    [
      "p"w' <&>/é+~(!)",
      "p\\"w' <&>/é+~(!)",
      "p%22w'%20%3C%26%3E%2F%C3%A9%2B~(!)",
      "p%22w'%20%3c%26%3e%2f%c3%a9%2b~(!)",
      "p%22w'+%3C%26%3E%2F%C3%A9%2B~(!)",
      "p%22w'%20%3C&%3E/%C3%A9+~(!)",
      "cCJ3JyA8Jj4vw6krfighK",
      "AidycgPCY+L8OpK34oIS",
      "AidycgPCY-L8OpK34oIS",
      "wIncnIDwmPi/DqSt+KCEp",
      "wIncnIDwmPi_DqSt-KCEp",
      "70227727203c263e2fc3a92b7e282129",
      "70227727203C263E2FC3A92B7E282129",
      "p\\\\\\"w' <&>/é+~(!)",
      "p\\\\\\\\\\\\\\"w' <&>/é+~(!)",
      "p\\"w' <&>/\\u00e9+~(!)",
      "p\\"w' <&>/\\u00E9+~(!)",
      "p\\\\\\"w' <&>/\\\\u00e9+~(!)",
      "p\\"w' \\u003c\\u0026\\u003e/é+~(!)",
      "p\\"w' \\u003C\\u0026\\u003E/é+~(!)",
      "p\\\\\\"w' \\\\u003c\\\\u0026\\\\u003e/é+~(!)",
      "p\\"w' \\u003c\\u0026\\u003e/\\u00e9+~(!)",
      "p\\"w' \\u003C\\u0026\\u003E/\\u00E9+~(!)",
      "p\\\\\\"w' \\\\u003c\\\\u0026\\\\u003e/\\\\u00e9+~(!)",
      "p\\"w' <&>\\/é+~(!)",
      "p\\"w' <&>\\/\\u00e9+~(!)",
      "p"w\\' <&>/é+~(!)",
      "\\u0070\\u0022\\u0077\\u0027\\u0020\\u003c\\u0026\\u003e\\u002f\\u00e9\\u002b\\u007e\\u0028\\u0021\\u0029",
      "\\u0070\\u0022\\u0077\\u0027\\u0020\\u003C\\u0026\\u003E\\u002F\\u00E9\\u002B\\u007E\\u0028\\u0021\\u0029",
      "\\\\u0070\\\\u0022\\\\u0077\\\\u0027\\\\u0020\\\\u003c\\\\u0026\\\\u003e\\\\u002f\\\\u00e9\\\\u002b\\\\u007e\\\\u0028\\\\u0021\\\\u0029",
      "p"w' <&amp;>/é+~(!)",
      "p"w' &lt;&amp;&gt;/é+~(!)",
      "p&quot;w' &lt;&amp;>/é+~(!)",
      "p&quot;w' &lt;&amp;&gt;/é+~(!)",
      "p"w' &lt;&amp;>/é+~(!)",
      "p&#34;w' &lt;&amp;&gt;/é+~(!)",
      "p&#x22;w' &lt;&amp;&gt;/é+~(!)",
      "p"w&#39; &lt;&amp;&gt;/é+~(!)",
      "p&quot;w&#39; &lt;&amp;&gt;/é+~(!)",
      "p&#34;w&#39; &lt;&amp;&gt;/é+~(!)",
      "p&#x22;w&#39; &lt;&amp;&gt;/é+~(!)",
      "p"w&#x27; &lt;&amp;&gt;/é+~(!)",
      "p&quot;w&#x27; &lt;&amp;&gt;/é+~(!)",
      "p&#34;w&#x27; &lt;&amp;&gt;/é+~(!)",
      "p&#x22;w&#x27; &lt;&amp;&gt;/é+~(!)",
      "p"w&#039; &lt;&amp;&gt;/é+~(!)",
      "p&quot;w&#039; &lt;&amp;&gt;/é+~(!)",
      "p&#34;w&#039; &lt;&amp;&gt;/é+~(!)",
      "p&#x22;w&#039; &lt;&amp;&gt;/é+~(!)",
      "p"w&apos; &lt;&amp;&gt;/é+~(!)",
      "p&quot;w&apos; &lt;&amp;&gt;/é+~(!)",
      "p&#34;w&apos; &lt;&amp;&gt;/é+~(!)",
      "p&#x22;w&apos; &lt;&amp;&gt;/é+~(!)",
      "p&quot;w&#x27; &lt;&amp;&gt;&#x2F;é+~(!)",
      "p&quot;w&#39; &lt;&amp;&gt;&#x2F;é+~(!)",
      "p%22w%27+%3C%26%3E%2F%C3%A9%2B%7E%28%21%29",
      "p%22w%27+%3c%26%3e%2f%c3%a9%2b%7e%28%21%29",
      "p%22w%27+%3C%26%3E%2F%C3%A9%2B~%28%21%29",
      "p%22w%27+%3c%26%3e%2f%c3%a9%2b~%28%21%29",
      "p%22w%27%20%3C%26%3E%2F%C3%A9%2B~%28%21%29",
      "p%22w%27%20%3c%26%3e%2f%c3%a9%2b~%28%21%29",
      "p%22w'%20%3C%26%3E/%C3%A9%2B~(!)",
      "p%22w'%20%3c%26%3e/%c3%a9%2b~(!)",
      "p%22w%27%20%3C%26%3E/%C3%A9%2B~%28%21%29",
      "p%22w%27%20%3c%26%3e/%c3%a9%2b~%28%21%29",
      "p"w' <&>/é+~(!)",
      "cAAiAHcAJwAgADwAJgA+AC8A6QArAH4AKAAhACkA",
      "cAAiAHcAJwAgADwAJgA-AC8A6QArAH4AKAAhACkA",
      "AAIgB3ACcAIAA8ACYAPgAvAOkAKwB+ACgAIQApA",
      "AAIgB3ACcAIAA8ACYAPgAvAOkAKwB-ACgAIQApA",
      "wACIAdwAnACAAPAAmAD4ALwDpACsAfgAoACEAKQ",
    ]
  `);
});

test("of a value of several lines each line is looked for, and the whole without the white space around it", () => {
  const forms = texts("  first line\r\nsecond\n");
  expect(
    ["  first line\r\nsecond\n", "first line", "second", "first line\r\nsecond"].filter((one) => !forms.includes(one)),
  ).toEqual([]);
  expect(forms).not.toContain("");
  expect(texts("one line")).not.toContain("line");
});

test("a form that is too short is looked for only where it is the value itself", () => {
  expect(texts("abc")).toEqual(["abc", "616263", ...texts("abc").slice(2)]);
  expect(
    texts("abc")
      .slice(1)
      .every((text) => text.length >= 6),
  ).toBe(true);
  expect(texts("x\nabcdef")).not.toContain("x");
});

test("digits and base64 may be broken into lines, and nothing else; no form comes twice", () => {
  const forms = formsOf(VALUE);
  const wrapping = forms.filter(({ wraps }) => wraps).map(({ text }) => text);
  expect(wrapping.every((text) => /^[\w+/=-]+$/.test(text))).toBe(true);
  expect(wrapping).toContain(Buffer.from(VALUE).toString("hex").toUpperCase());
  expect(new Set(forms.map(({ text }) => text)).size).toBe(forms.length);
  expect(formsOf("61626364")[0]).toEqual({ text: "61626364", wraps: false });
});

import { createHash } from 'node:crypto';
import { asHtml, type Html } from './html.ts';
import { SCRIPT, STYLE } from './style.ts';

/** A whole page with its style and script, which a policy allows by their digests, and nothing else. */
export function wholePage(title: string, body: Html): string {
  const policy = `default-src 'none'; style-src '${digestOf(STYLE)}'; script-src '${digestOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const { markup } = asHtml`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex"><title>${title} – storeport</title><style>${{ markup: STYLE }}</style></head>
<body>${body}<script>${{ markup: SCRIPT }}</script></body></html>
`;
  return markup;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** `2026-11-21 09:30 UTC` */
export function minuteText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** A list of names with their values. */
export function factList(rows: readonly (readonly [name: string, value: string])[]): Html {
  return asHtml`<section><h2>Details</h2><dl class="facts">${rows.map(([name, value]) => asHtml`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

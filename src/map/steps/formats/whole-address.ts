import type { Json, JsonObject } from '../../../model/index.ts';

/** `https://…`, `ftp://…`; a path has no host. */
const WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Web address of an image: its own, or that of a path in the folder `base`; undefined for a path without a base. */
export function wholeAddress(given: string, base: string | undefined): string | undefined {
  const text = unquoted(given);
  if (WITH_HOST.test(text)) return text;
  if (text.startsWith('//')) return `https:${text}`;
  if (base === undefined || holdsAddress(text)) return undefined;
  // In the name of a file, # is an ordinary character.
  const path = text.replace(/^\/+/, '').replaceAll(' ', '%20').replaceAll('#', '%23');
  return `${base.replace(/\/+$/, '')}/${path}`;
}

/** An address in quotes or pointed brackets, which cannot be a part of it. */
const QUOTED = /^["'“”„«‹<]\s*((?:[a-z][a-z0-9+.-]*:)?\/\/\S*?[^\s"'“”»›>])\s*["'“”»›>]$/i;

function unquoted(text: string): string {
  return QUOTED.exec(text)?.[1] ?? text;
}

/** True for text that has an address somewhere, such as a formula or a tag: it is not a path. */
export function holdsAddress(text: string): boolean {
  return /[a-z]:\/\//i.test(text);
}

/** Completes the web addresses of a payload's images, for payloads that contain paths, whatever mapping built them. */
export function withImageBase(payload: JsonObject, base: string): JsonObject {
  const { images } = payload;
  if (!Array.isArray(images)) return payload;
  return { ...payload, images: images.map((image) => wholeImage(image, base)) };
}

function wholeImage(image: Json, base: string): Json {
  if (typeof image !== 'object' || image === null || Array.isArray(image)) return image;
  const { src } = image;
  if (typeof src !== 'string' || src.trim() === '') return image;
  return { ...image, src: wholeAddress(src, base) ?? src };
}

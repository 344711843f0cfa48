import { hash } from 'node:crypto';

const tags = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/g;

/** 132 bits: two requests do not get the same digest by chance. */
export function digestParts(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
}

export function isAnyTag(header: string): boolean {
  return header.trim() === '*';
}

/** Whether the list of If-None-Match holds the tag. That header asks for weak comparison (RFC 9110, 13.1.2). */
export function includesTag(header: string, etag: string): boolean {
  return header === etag || (header.match(tags) ?? []).some((tag) => stripTag(tag) === stripTag(etag));
}

/** A strong tag stands for bytes, and compressed bytes are different ones (RFC 9110, 8.8.3.3); a weak tag stands for content. */
export function isStrongTag(tag: unknown): tag is string {
  return typeof tag === 'string' && tag.startsWith('"');
}

/** `"3.Zr4u…"` becomes `"3.Zr4u….br"`: the tag of the same answer in that content coding. */
export function addCoding(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}.${coding}"`;
}

/** `"3.Zr4u….br"`, as it was sent, becomes `"3.Zr4u…"`, as it was made. */
export function removeCoding(tag: string): string {
  return tag.replace(/\.(?:br|gzip)"$/, '"');
}

/** Reduces a tag to its value, without the mark of weak tags and the suffix of a content coding. */
function stripTag(etag: string): string {
  return removeCoding(etag.replace(/^W\//, ''));
}

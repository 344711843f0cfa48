/** Text that is HTML already. Only `html` creates it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML from a template. Inserted values are escaped unless they are Html. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(print)));
}

function print(part: Part): string {
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(print).join('') : escape(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

import { saveFile } from './table-export.ts';

/* Saves a chart as a picture. */

const copied = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
];
const margin = 16;

/** Returns the chart as a document of its own: with the colours of the page as attributes, and a background. */
function buildSvg(svg: SVGSVGElement, title: string): { text: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [...svg.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(originals[index]!);
    for (const name of copied) {
      const isOwn = element.getAttribute(name)?.startsWith('url(') ?? false;
      if (!isOwn) element.setAttribute(name, style.getPropertyValue(name));
    }
    if (element.localName === 'text') element.setAttribute('dominant-baseline', 'central');
  }
  const { width, height } = svg.viewBox.baseVal;
  const top = margin + 34;
  const size = { width: width + 2 * margin, height: height + top + margin };
  const style = getComputedStyle(svg);
  const background = getComputedStyle(document.body).backgroundColor;
  const group = document.createElementNS(svg.namespaceURI!, 'g') as SVGGElement;
  group.setAttribute('transform', `translate(${margin} ${top})`);
  group.append(...copy.childNodes);
  copy.replaceChildren(
    shape('rect', { width: '100%', height: '100%', fill: background }),
    shape('text', { x: String(margin), y: '30', fill: style.color, 'font-size': '18', 'font-family': 'serif' }, title),
    group,
  );
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  copy.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  return { text: new XMLSerializer().serializeToString(copy), ...size };
}

function shape(name: string, attributes: Record<string, string>, text = ''): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

export function saveSvg(svg: SVGSVGElement, title: string, name: string): void {
  saveFile(new Blob([buildSvg(svg, title).text], { type: 'image/svg+xml' }), name);
}

/** Draws the chart at twice its size, so that it is sharp in a document. */
export async function savePng(svg: SVGSVGElement, title: string, name: string): Promise<void> {
  const { text, width, height } = buildSvg(svg, title);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const file = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (file) saveFile(file, name);
}

import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { readSession } from '../../application/session.ts';

interface PageProps {
  readonly title: string;
  /** What can be done on the page, beside its title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The frame of each page of the console: its title, and what is below it. */
export function Page({ title, actions, children }: PageProps) {
  const ref = usePageTitle<HTMLDivElement>(title);
  return (
    <div className="cs-page" ref={ref}>
      <div className="cs-title">
        <h1>{title}</h1>
        {actions && <div className="cb-buttons">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** The first page after a load leaves the focus to the browser. */
let isArrival = false;
let isBack = false;
addEventListener('popstate', () => {
  isBack = true;
});

/** The next page that opens gets the focus, because what had it is gone. */
export function focusNextPage(): void {
  isArrival = true;
}

/** Names the document, and moves the focus to the heading when the page opens. A page that has no `Page` uses it. */
export function usePageTitle<Element extends HTMLElement>(title: string): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  useEffect(() => {
    document.title = `${title} · ${readSession().viewer?.business.name ?? 'Callboard'}`;
  }, [title]);
  useEffect(() => {
    const heading = ref.current?.querySelector('h1');
    if (isArrival && heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      // The browser itself restores where a reader was before.
      if (!isBack) scrollTo(0, 0);
    }
    isArrival = true;
    isBack = false;
  }, []);
  return ref;
}

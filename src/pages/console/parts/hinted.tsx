import type { ReactNode } from 'react';

/** What a cell of a table says, and hints below it. */
export const Hinted = ({ children, hints }: { children: ReactNode; hints: readonly ReactNode[] }) => (
  <>
    {children}
    {hints.map(
      (hint, index) =>
        hint && (
          <span key={index} className="cs-hint">
            {hint}
          </span>
        ),
    )}
  </>
);

import type { ReactNode } from 'react';

/** A cell of a table with hints below what it says. Hints without a text are left out. */
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

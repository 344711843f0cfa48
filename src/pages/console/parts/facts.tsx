import type { ReactNode } from 'react';

interface FactsProps {
  readonly facts: readonly (readonly [name: string, fact: ReactNode])[];
  readonly className?: string;
}

/** Facts with their names. What is not known is left out. */
export function Facts({ facts, className }: FactsProps) {
  const known = facts.filter(([, fact]) => Boolean(fact));
  if (known.length === 0) return null;
  return (
    <dl className={className}>
      {known.map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface LinkButtonProps {
  readonly href: string;
  readonly isPrimary?: boolean;
  readonly children: ReactNode;
}

/** A link to another page that looks like a button. */
export const LinkButton = ({ href, isPrimary, children }: LinkButtonProps) => (
  <Link className={isPrimary ? 'cb-button cb-primary' : 'cb-button'} href={href}>
    {children}
  </Link>
);

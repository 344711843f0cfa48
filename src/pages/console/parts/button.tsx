import type { ComponentProps } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  /** The main action of a page is `primary`, one that destroys is `danger`, and one of many is `quiet`. */
  readonly look?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** While it works, it keeps the focus and takes no second click. */
  readonly isBusy?: boolean;
}

export function Button({ look = 'plain', isBusy = false, className = '', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`cb-button cs-button cs-${look}${look === 'primary' ? ' cb-primary' : ''} ${className}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    />
  );
}

import { lazy, type ReactNode } from 'react';

/** A component that is loaded when it is shown. */
export const lazily = <Props>(load: () => Promise<(props: Props) => ReactNode>) =>
  lazy(async () => ({ default: await load() }));

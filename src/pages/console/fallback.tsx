import { Component, type ReactNode } from 'react';
import { loadAnewOnce } from '../application/load-anew.ts';

interface Props {
  /** Shown in place of a page that failed. */
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** The script or a style of a page is not there, or cannot be fetched. */
export class PageNotFetched extends Error {}

/** Keeps the header and the way to other pages where a page cannot be loaded or drawn. */
export class Fallback extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidCatch = (error: unknown): void => {
    if (error instanceof PageNotFetched) void loadAnewOnce();
  };

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}

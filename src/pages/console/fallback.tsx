import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of a page that failed. */
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** Keeps the header and the way to other pages where a page cannot be loaded or drawn. */
export class Fallback extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}

import { useEffect } from 'react';
import { focusOn } from './keys.ts';

const turnMs = 15_000;

/** Wall mode: large type and no controls, and the page moves on by itself, screen by screen. Escape leaves it. */
export function useWall(isWall: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (!isWall) return;
    // The controls are gone while it lasts.
    document.documentElement.dataset['wall'] = '';
    focusOn('.bd-top h1');
    const timer = setInterval(turn, turnMs);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onLeave();
    };
    addEventListener('keydown', onKey);
    return () => {
      delete document.documentElement.dataset['wall'];
      focusOn('.bd-to-wall', '.bd-top h1');
      clearInterval(timer);
      removeEventListener('keydown', onKey);
    };
  }, [isWall, onLeave]);
}

/** To the next screen, or back to the top. */
function turn(): void {
  const { scrollHeight } = document.documentElement;
  const isAtEnd = scrollY + innerHeight >= scrollHeight - 4;
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  scrollTo({ top: isAtEnd ? 0 : scrollY + innerHeight * 0.85, behavior });
}

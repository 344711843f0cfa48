import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';

/** The next page of a list, once it is asked for. */
export function More({ children }: { children: ReactNode }) {
  const { myShifts: texts } = useMessages();
  const [isMore, setIsMore] = useState(false);
  return isMore ? children : <Button onClick={() => setIsMore(true)}>{texts.more}</Button>;
}

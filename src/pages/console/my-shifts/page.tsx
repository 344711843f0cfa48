import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function MyShiftsPage() {
  const { myShifts: texts } = useMessages();
  return <Page title={texts.title} />;
}

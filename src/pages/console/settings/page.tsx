import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function SettingsPage() {
  const { settings: texts } = useMessages();
  return <Page title={texts.title} />;
}

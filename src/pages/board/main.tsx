import { startApplication } from '../application/start.tsx';
import { board } from '../console/board/messages.ts';
import { loadMessages } from '../console/messages/messages.ts';
import { App } from './app.tsx';

await loadMessages({ board });
startApplication(App);

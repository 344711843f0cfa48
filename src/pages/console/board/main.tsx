import { startApplication } from '../../application/start.tsx';
import { board } from './messages.ts';
import { loadMessages } from '../messages/messages.ts';
import { App } from './app.tsx';

await loadMessages({ board });
startApplication(App);

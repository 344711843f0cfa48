import { startApplication } from '../application/start.tsx';
import { board } from '../console/board/messages.ts';
import { loadMessages } from '../console/messages/messages.ts';
import { parts } from '../console/parts/messages.ts';
import { App } from './app.tsx';
import '../console/parts/parts.css';

await loadMessages({ board, parts });
startApplication(App);

import { startApplication } from '../application/start.tsx';
import { App } from './app.tsx';
import { first } from './messages/first.ts';
import { loadMessages } from './messages/messages.ts';
import './console.css';
import './parts/parts.css';

await loadMessages(first);
startApplication(App);

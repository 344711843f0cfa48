import { startApplication } from '../application/start.tsx';
import { App } from './app.tsx';

startApplication(App);

import { startApplication } from '../shared/start.tsx';
import { App } from './app.tsx';

startApplication(App);

import '../site/filter.ts';
import './reference.css';

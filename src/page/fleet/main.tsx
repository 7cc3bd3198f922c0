import '../style/tokens.css';
import '../style/base.css';
import '../style/parts.css';
import '../screens/runs.css';
import './fleet.css';
import { render } from 'preact';
import { FleetApp } from './fleet-app.tsx';

const root = document.getElementById('page');
if (root) render(<FleetApp />, root);

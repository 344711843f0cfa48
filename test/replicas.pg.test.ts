import { testReads } from './replicas/reads.ts';
import { testReports } from './replicas/reports.ts';
import { useReplicas } from './replicas/scene.ts';

useReplicas();
testReports();
testReads();

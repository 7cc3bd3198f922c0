// Prints the failed tests, the time of each part and the plain line of counts. Exits with 1 if a part of the tests failed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [results, logs] = process.argv.slice(2);

/** The file with the results of a part; the others have none. */
const RESULTS = {
  test: 'results.json',
  'test:slow': 'slow-results.json',
  'test:browser': 'browser-results.json',
  'test:fleet': 'fleet-results.json',
};

let passed = 0;
let failed = 0;
const times = [];
for (const file of readdirSync(logs).filter((name) => name.endsWith('.end'))) {
  const name = file.slice(0, -'.end'.length);
  const [status, seconds] = readFileSync(join(logs, file), 'utf8').split(' ').map(Number);
  times.push(`${name} ${seconds} s`);
  if (name === 'bench') continue;
  const counts = RESULTS[name] ? countsIn(join(results, RESULTS[name])) : { passed: 0, failed: 0 };
  passed += counts.passed;
  // Without a failed test, something else failed: types, lint, the installation or the browser.
  failed += status !== 0 && counts.failed === 0 ? 1 : counts.failed;
}
console.log(`Time of each part: ${times.join(', ')}.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function countsIn(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 }; // the tests did not even run
  }
  for (const { name, status, message, assertionResults } of report.testResults) {
    if (status !== 'failed') continue;
    console.log(`FAILED ${name} ${message ?? ''}`);
    for (const { fullName, failureMessages } of assertionResults.filter((each) => each.status === 'failed'))
      console.log(`FAILED ${fullName}\n${failureMessages.join('\n')}`);
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

import { JsonReporter } from './json-reporter.js';
import { JunitReporter } from './junit-reporter.js';
import { withLimits } from './limits.js';
import { MarkdownReporter } from './markdown-reporter.js';
import type { Output } from './output.js';
import type { ReportFormat, Reporter, ReporterOptions } from './reporter.js';
import { TableReporter } from './table-reporter.js';

/** A reporter of one form; see ReporterOptions. Its memory does not grow with the number of cases. */
export function createReporter(format: ReportFormat, output: Output, options: ReporterOptions): Reporter {
  const limits = withLimits(options.limits);
  switch (format) {
    case 'table':
      return new TableReporter(output, { ...options, limits, columns: options.columns ?? 100 });
    case 'json':
      return new JsonReporter(output, options);
    case 'junit':
      return new JunitReporter(output, options);
    case 'markdown':
      return new MarkdownReporter(output, { suites: options.suites, limits });
  }
}

/** Style of a calibration report: one column that fits A4, a phone and a wide screen; no colour carries a meaning alone. */
export const reportStyle = `
:root { --ink: #1b2430; --soft: #5b6673; --line: #d5dbe1; --paper: #fff; --good: #1d6b3c; --bad: #a8201a; --idle: #6b6f76; --wash: #f4f6f8; }
* { box-sizing: border-box; }
body { margin: 0; background: #e9edf1; color: var(--ink); font: 14px/1.45 "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
main { max-width: 1080px; margin: 24px auto; padding: 40px 48px; background: var(--paper); box-shadow: 0 1px 4px #0003; }
h1 { margin: 0; font-size: 26px; line-height: 1.2; }
h2 { margin: 32px 0 8px; font-size: 17px; border-bottom: 2px solid var(--ink); padding-bottom: 3px; break-after: avoid; }
p { margin: 6px 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-start; gap: 16px; }
.verdict { padding: 8px 22px; font-size: 22px; font-weight: 700; letter-spacing: 0.06em; border: 3px solid; }
.verdict.passed { color: var(--good); } .verdict.failed { color: var(--bad); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 20px 0 0; border-left: 1px solid var(--line); border-top: 1px solid var(--line); }
.figures div { padding: 8px 12px; border-right: 1px solid var(--line); border-bottom: 1px solid var(--line); } .figures b { display: block; font-size: 20px; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 16px 0 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 8px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; background: var(--wash); } thead { display: table-header-group; } tr { break-inside: avoid; }
.n { text-align: right; white-space: nowrap; }
.wide { overflow-x: auto; }
.mark { font-weight: 700; white-space: nowrap; } .passed .mark, .mark.passed { color: var(--good); } .failed .mark, .mark.failed { color: var(--bad); } .not-measured .mark { color: var(--idle); font-weight: 400; }
tr.failed { background: #fdf0ef; }
.advice { display: block; color: var(--bad); }
.matrix { width: auto; } .matrix td, .matrix th { text-align: center; min-width: 46px; } .matrix td.hit { background: #e3f1e8; font-weight: 700; } .matrix td.miss { background: #f9d9d6; color: var(--bad); font-weight: 700; } .matrix td.zero { color: #b6bdc5; }
.pair { display: flex; flex-wrap: wrap; gap: 12px 40px; } .pair > * { flex: 1 1 320px; }
.bar { position: relative; height: 14px; min-width: 140px; background: var(--wash); border-left: 3px solid var(--bad); } .bar i { position: absolute; top: 2px; bottom: 2px; left: 0; background: #7fb497; } .bar s { position: absolute; top: 0; bottom: 0; width: 2px; background: var(--ink); }
figure { margin: 10px 0 0; break-inside: avoid; } figure img { width: 100%; height: auto; display: block; border: 1px solid var(--line); } figcaption { color: var(--soft); font-size: 12px; margin-top: 3px; }
.throws { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; } .throws figure { margin: 0; } .throws figcaption { color: var(--ink); overflow-wrap: anywhere; } .throws .refused, .throws .wrong, .throws .falsely-taken { outline: 3px solid var(--bad); outline-offset: 2px; } .throws .refused { outline-color: #b08400; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 40px; margin-top: 8px; break-inside: avoid; } .sign div { padding-top: 56px; border-bottom: 1px solid var(--ink); } .sign p { margin: 0; color: var(--soft); font-size: 12px; }
@media (max-width: 640px) { main { margin: 0; padding: 20px 14px; } .sign { grid-template-columns: 1fr; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 6px; } .stack thead { display: none; } .stack tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--line); } .stack td { display: inline-block; border: 0; padding: 1px 8px 1px 0; } .stack td:first-child { display: block; font-weight: 600; } .stack td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); } .stack td:empty { display: none; } .stack .bar { width: 220px; } th, th.n { white-space: normal; } .matrix td, .matrix th { min-width: 0; width: 12%; padding: 4px 1px; font-size: 13px; } td, th { padding: 4px 5px; } }
@page { size: A4; margin: 14mm 13mm 18mm; @bottom-left { font: 8px Arial, sans-serif; color: #5b6673; } @bottom-right { font: 8px Arial, sans-serif; color: #5b6673; } }
@media print { body { background: none; font-size: 10.5px; } main { max-width: none; margin: 0; padding: 0; box-shadow: none; } h1 { font-size: 20px; } h2 { font-size: 14px; margin-top: 20px; } .figures b { font-size: 15px; } .throws { grid-template-columns: repeat(6, 1fr); gap: 8px; } .figures { grid-template-columns: repeat(6, 1fr); } .keep { break-inside: avoid; } p.soft { break-before: avoid; } .throws figcaption, figcaption { font-size: 9px; } .wide { overflow: visible; } .camera { max-width: 150mm; } * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
`;

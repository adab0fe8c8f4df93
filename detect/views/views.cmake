# scalana-detect --view: one file per question.
target_sources(sca_show PRIVATE views/advice.c views/call_names.c views/callgraph.c views/classes.c views/communication.c views/correlate.c views/correlation.c views/critical.c views/diff.c
  views/diff_answer.c views/diff_causes.c views/diff_clock.c views/diff_match.c views/diff_program.c
  views/diff_side.c views/efficiency.c views/figures.c views/findings.c
  views/by_thread.c views/flat.c views/grown.c views/hotpath.c views/imbalance.c views/layers.c views/locks.c views/looking.c views/map.c
  views/map_cell.c views/map_note.c views/matrix.c views/messages.c views/metrics.c views/loop_choice.c views/pairwise.c views/path.c views/paths.c views/ptag.c views/regions.c views/scaling.c views/selection.c views/series.c views/series_clusters.c views/series_draw.c views/series_phases.c views/series_words.c
  views/system.c views/table.c views/table_csv.c views/table_json.c views/table_text.c views/tag.c views/task_rows.c views/topology.c
  views/timeline.c views/timeline_draw.c views/topology_choice.c views/variability.c views/view.c views/weighed.c views/whole_run.c)

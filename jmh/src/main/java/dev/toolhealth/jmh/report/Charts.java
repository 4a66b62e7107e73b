package dev.toolhealth.jmh.report;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Charts of a run: the time of each operation by handle, for all subjects. */
final class Charts {
  private static final List<String> SHOWN =
      List.of(
          "recordSuccess",
          "recordMixed",
          "recordFailure",
          "allowRequestClosed",
          "allowRequestRefused",
          "allowAndRecord");

  /** Okabe and Ito's colours, which the colour-blind can tell apart too. */
  private static final Color[] COLOURS = {
    new Color(0x0072B2),
    new Color(0x999999),
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0x56B4E9),
    new Color(0xD55E00),
    new Color(0xF0E442)
  };

  private Charts() {}

  /**
   * Writes the charts as SVG, and omits empty charts.
   *
   * @return the files
   */
  static List<Path> write(Run run, Path directory) throws IOException {
    System.setProperty("java.awt.headless", "true");
    List<Path> written = new ArrayList<>();
    for (int threads : List.of(1, 2)) {
      CategoryChart chart = chart(run, threads);
      if (!chart.getSeriesMap().isEmpty()) {
        Path file = directory.resolve(run.label() + (threads == 1 ? "-alone" : "-shared") + ".svg");
        try (OutputStream out = Files.newOutputStream(file)) {
          VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
        }
        written.add(file);
      }
    }
    return written;
  }

  static CategoryChart chart(Run run, int threads) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(1200)
            .height(480)
            .theme(ChartTheme.GGPlot2)
            .title(
                run.label() + (threads == 1 ? ", one thread" : ", two threads that share a tool"))
            .yAxisTitle("ns per call, logarithmic")
            .build();
    List<String> operations =
        SHOWN.stream().filter(operation -> highest(run, operation, threads) > 0).toList();
    double highest =
        operations.stream().mapToDouble(op -> highest(run, op, threads)).max().orElse(1);
    CategoryStyler style = chart.getStyler();
    // Whole decades, so that all bars start on the same line.
    style.setYAxisLogarithmic(true).setYAxisMin(0.1).setYAxisMax(decadeAbove(highest));
    style.setLegendPosition(LegendPosition.OutsideE);
    style.setLabelsVisible(true);
    style.setDecimalPattern("0.#");
    style.setSeriesColors(COLOURS);
    for (String subject : Subjects.of(List.of(run))) {
      List<@Nullable Double> figures = new ArrayList<>();
      for (String operation : operations) {
        figures.add(figure(run, operation, subject, threads));
      }
      if (figures.stream().anyMatch(figure -> figure != null)) {
        chart.addSeries(subject, operations.stream().map(Report.OPERATIONS::get).toList(), figures);
      }
    }
    return chart;
  }

  private static @Nullable Double figure(Run run, String operation, String subject, int threads) {
    return run.find(operation, subject, "HANDLE", threads)
        .filter(Measurement::asExpected)
        .map(Measurement::median)
        .orElse(null);
  }

  private static double highest(Run run, String operation, int threads) {
    return run.times()
        .filter(m -> m.operation().equals(operation) && m.threads() == threads)
        .filter(m -> m.access().equals("HANDLE") && m.asExpected())
        .mapToDouble(Measurement::median)
        .max()
        .orElse(0);
  }

  private static double decadeAbove(double value) {
    return Math.pow(10, Math.ceil(Math.log10(value)));
  }
}

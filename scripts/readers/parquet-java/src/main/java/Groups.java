import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.HadoopParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;

/** A reader of groups. */
final class Groups extends ParquetReader.Builder<Group> {
  Groups(InputFile file) {
    super(file, new HadoopParquetConfiguration(new Configuration(false)));
  }

  @Override
  protected ReadSupport<Group> getReadSupport() {
    return new GroupReadSupport();
  }
}
